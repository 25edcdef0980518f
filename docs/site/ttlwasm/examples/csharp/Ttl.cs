// Decides about BSON and items with the WebAssembly module, by Wasmtime.
//
//     dotnet run -- ../../npm/ttlpolicy.wasm
using System.Buffers.Binary;
using System.Text;
using Wasmtime;

using var ttl = new Ttl(args[0]);
int policy = ttl.Compile("""
    {"target": {"system": "mongodb", "version": "8.0.4"},
     "in": {"indexes": [{"key": {"t": 1}, "name": "t_1", "expireAfterSeconds": 10}]}}
    """);
byte[] documents = [16, 0, 0, 0, 9, (byte)'t', 0, 0xe8, 3, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0]; // {t: a second after 1970}, {}
foreach (var decision in ttl.DecideAll(policy, Format.Bson, documents, 11000)) Console.WriteLine(decision);
ttl.Release(policy);

int container = ttl.Compile("""{"target": {"system": "cosmos-nosql"}, "in": {"container": {"defaultTtl": 60}}}""");
var items = Encoding.UTF8.GetBytes("{\"_ts\":1}\n{\"_ts\":1,\"ttl\":-1}\n");
foreach (var decision in ttl.DecideAll(container, Format.Json, items, 61000)) Console.WriteLine(decision);
try
{
    ttl.Release(policy);
}
catch (ArgumentException refusal)
{
    Console.WriteLine(refusal.Message);
}

enum Format { Bson = 1, ExtendedJson = 2, Json = 3 }

enum State { Never, Pending, Expired }

/// <summary>The deadline is in milliseconds since 1970, and null beside Never.</summary>
record Decision(State State, long? Deadline, string Rule);

/// <summary>One instance of the module. It is for one thread.</summary>
sealed class Ttl : IDisposable
{
    readonly Engine engine = new();
    readonly Store store;
    readonly Instance instance;
    readonly Memory memory;

    public Ttl(string file)
    {
        using var module = Module.FromFile(engine, file);
        using var linker = new Linker(engine);
        linker.DefineWasi();
        store = new Store(engine);
        store.SetWasiConfiguration(new WasiConfiguration());
        instance = linker.Instantiate(store, module);
        memory = instance.GetMemory("memory")!;
        instance.GetAction("_initialize")!();
        if (Call("abi") != 1) throw new InvalidOperationException("another version of the module's interface");
    }

    public int Compile(string policy)
    {
        var content = Encoding.UTF8.GetBytes(policy);
        int address = Put(content);
        try
        {
            return Call("compile", address, content.Length);
        }
        finally
        {
            Call("free", address);
        }
    }

    public void Release(int policy) => Call("release", policy);

    /// <summary>Decides about documents one after another: BSON, or a document a line.</summary>
    public List<Decision> DecideAll(int policy, Format format, byte[] documents, long now)
    {
        int room = documents.Length / 5 + 1, source = Put(documents), to = Put(new byte[16 * room]);
        try
        {
            int count = Call("decide_all", policy, (int)format, source, documents.Length, now, to, room);
            var written = memory.GetSpan((uint)to, 16 * count).ToArray();
            return Enumerable.Range(0, count).Select(i => Decide(written.AsSpan(16 * i, 16))).ToList();
        }
        finally
        {
            Call("free", source);
            Call("free", to);
        }
    }

    Decision Decide(ReadOnlySpan<byte> d)
    {
        var state = (State)d[11];
        long? deadline = state == State.Never ? null : BinaryPrimitives.ReadInt64LittleEndian(d);
        return new Decision(state, deadline, Text(Call("rule", (int)BinaryPrimitives.ReadUInt16LittleEndian(d[8..]))));
    }

    int Put(byte[] content)
    {
        int address = Raw("alloc", content.Length + 1);
        if (address == 0) throw new OutOfMemoryException("the module has no memory left");
        content.CopyTo(memory.GetSpan((uint)address, content.Length));
        return address;
    }

    int Call(string name, params ValueBox[] arguments)
    {
        int code = Raw(name, arguments);
        return code >= 0 ? code : throw new ArgumentException(Text(Raw("error")));
    }

    int Raw(string name, params ValueBox[] arguments) => (int)instance.GetFunction("ttl_" + name)!.Invoke(arguments)!;

    string Text(int length) => Encoding.UTF8.GetString(memory.GetSpan((uint)Raw("text"), length));

    public void Dispose()
    {
        store.Dispose();
        engine.Dispose();
    }
}
