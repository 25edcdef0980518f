// An adapter that puts an implementation of TTL to the conformance suite:
//
//     dotnet new console -o adapter && cp Program.cs adapter && dotnet build -o out adapter
//     ttl conform run -- dotnet out/adapter.dll
//
// It reads a question a line and writes an answer a line, both JSON. Replace
// Decide with a call of your library, and claim in Hello what it does: what you
// claim is judged, what you do not claim is not asked. Whatever else you print
// belongs on standard error.

using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;

const string Hello = """
    {"protocol":1,"name":"my-library","version":"0.1.0","language":"csharp",
     "ops":["self.echo","mongodb.decide"],"systems":{"mongodb":">=8.0.0"},
     "profiles":[],"features":["deadline"]}
    """;

// Decide returns the deadline in milliseconds since 1970, null for never.
static long? Decide(JsonNode index, JsonNode document, long now)
{
    var field = index["key"]!.AsObject().First().Key;
    var date = Millis(document[field]);
    if (date is null || index["expireAfterSeconds"] is not { } seconds) return null;
    return date + 1000 * (long)Number(seconds);
}

// Millis returns the milliseconds of a date of canonical Extended JSON.
static long? Millis(JsonNode? value) =>
    value is JsonObject o && o["$date"]?["$numberLong"] is { } ms
        ? long.Parse(ms.GetValue<string>(), CultureInfo.InvariantCulture)
        : null;

// Number returns a number of Extended JSON, or a plain one.
static double Number(JsonNode value) =>
    double.Parse(value is JsonObject o ? o.First().Value!.GetValue<string>() : value.ToJsonString(), CultureInfo.InvariantCulture);

static JsonObject Answer(string op, JsonNode given)
{
    if (op == "self.echo") return new() { ["out"] = new JsonObject { ["value"] = given["value"]?.DeepClone() } };
    if (op != "mongodb.decide") return new() { ["skip"] = $"this adapter does not answer {op}" };
    var now = Millis(given["now"])!.Value;
    var indexes = given["indexes"]!.AsArray();
    var deadline = indexes.Count == 0 ? null : Decide(indexes[0]!, given["document"]!, now);
    if (deadline is null) return new() { ["out"] = new JsonObject { ["state"] = "never", ["deadline"] = null } };
    var date = new JsonObject { ["$date"] = new JsonObject { ["$numberLong"] = deadline.Value.ToString(CultureInfo.InvariantCulture) } };
    return new() { ["out"] = new JsonObject { ["state"] = deadline <= now ? "expired" : "pending", ["deadline"] = date } };
}

static JsonObject Reply(JsonNode request)
{
    if (request["cmd"]!.GetValue<string>() != "run") return new() { ["fault"] = "unknown cmd" };
    try
    {
        return Answer(request["op"]!.GetValue<string>(), request["in"]!);
    }
    catch (Exception e)
    {
        return new() { ["fault"] = e.ToString() };
    }
}

var input = new StreamReader(Console.OpenStandardInput(), Encoding.UTF8);
var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { AutoFlush = true, NewLine = "\n" };
while (input.ReadLine() is { } line)
{
    var request = JsonNode.Parse(line)!;
    switch (request["cmd"]!.GetValue<string>())
    {
        case "hello":
            output.WriteLine(JsonNode.Parse(Hello)!.ToJsonString());
            break;
        case "bye":
            return;
        default:
            var reply = Reply(request);
            reply["seq"] = request["seq"]?.DeepClone();
            output.WriteLine(reply.ToJsonString());
            break;
    }
}
