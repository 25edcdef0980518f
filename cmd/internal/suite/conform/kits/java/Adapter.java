// An adapter that puts an implementation of TTL to the conformance suite:
//
//     ttl conform run --hello-timeout 30s -- java Adapter.java
//
// It reads a question a line and writes an answer a line, both JSON. Replace
// decide with a call of your library, and claim in HELLO what it does: what you
// claim is judged, what you do not claim is not asked. Whatever else you print
// belongs on standard error. The reader of JSON at the end keeps numbers as they
// are written; use your own library if it does too.

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public class Adapter {
    static final String HELLO = """
        {"protocol":1,"name":"my-library","version":"0.1.0","language":"java",
         "ops":["self.echo","mongodb.decide"],"systems":{"mongodb":">=8.0.0"},
         "profiles":[],"features":["deadline"]}""".replace("\n", "");

    /** Returns the deadline in milliseconds since 1970, null for never. */
    static Long decide(Map<String, Object> index, Map<String, Object> document, long now) {
        String field = object(index.get("key")).keySet().iterator().next();
        Long date = millis(document.get(field));
        if (date == null || !index.containsKey("expireAfterSeconds")) {
            return null;
        }
        return date + 1000 * (long) number(index.get("expireAfterSeconds"));
    }

    /** Returns the milliseconds of a date of canonical Extended JSON, null for anything else. */
    static Long millis(Object value) {
        if (value instanceof Map<?, ?> date && date.get("$date") instanceof Map<?, ?> wrapped) {
            return Long.valueOf((String) wrapped.get("$numberLong"));
        }
        return null;
    }

    /** Returns a number of Extended JSON, or a plain one. */
    static double number(Object value) {
        return value instanceof Map<?, ?> wrapped
            ? Double.parseDouble((String) wrapped.values().iterator().next())
            : Double.parseDouble(((Json.Raw) value).text());
    }

    static String answer(String op, Map<String, Object> in) {
        if (op.equals("self.echo")) {
            return "\"out\":{\"value\":" + Json.write(in.get("value")) + "}";
        }
        if (!op.equals("mongodb.decide")) {
            return "\"skip\":" + Json.write("this adapter does not answer " + op);
        }
        long now = millis(in.get("now"));
        List<?> indexes = (List<?>) in.get("indexes");
        Long deadline = indexes.isEmpty() ? null : decide(object(indexes.get(0)), object(in.get("document")), now);
        if (deadline == null) {
            return "\"out\":{\"state\":\"never\",\"deadline\":null}";
        }
        String state = deadline <= now ? "expired" : "pending";
        return "\"out\":{\"state\":\"" + state + "\",\"deadline\":{\"$date\":{\"$numberLong\":\"" + deadline + "\"}}}";
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    public static void main(String[] args) throws Exception {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var out = new java.io.PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line; (line = in.readLine()) != null; ) {
            Map<String, Object> request = object(new Json(line).value());
            String seq = Json.write(request.get("seq"));
            switch (request.get("cmd").toString()) {
                case "hello" -> out.print(HELLO + "\n");
                case "bye" -> System.exit(0);
                case "run" -> out.print("{\"seq\":" + seq + "," + run(request) + "}\n");
                default -> out.print("{\"seq\":" + seq + ",\"fault\":\"unknown cmd\"}\n");
            }
            out.flush();
        }
    }

    static String run(Map<String, Object> request) {
        try {
            return answer((String) request.get("op"), object(request.get("in")));
        } catch (Exception e) {
            return "\"fault\":" + Json.write(e.toString());
        }
    }

    /** JSON as maps, lists and strings; whatever else there is stays as it is written. */
    static final class Json {
        record Raw(String text) {}

        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        Object value() {
            switch (peek()) {
                case '{':
                    Map<String, Object> map = new LinkedHashMap<>();
                    for (at++; peek() != '}'; skip(',')) {
                        String name = string();
                        skip(':');
                        map.put(name, value());
                    }
                    at++;
                    return map;
                case '[':
                    List<Object> list = new ArrayList<>();
                    for (at++; peek() != ']'; skip(',')) {
                        list.add(value());
                    }
                    at++;
                    return list;
                case '"':
                    return string();
                default:
                    int start = at;
                    while (at < text.length() && ",]} \t".indexOf(text.charAt(at)) < 0) {
                        at++;
                    }
                    return new Raw(text.substring(start, at));
            }
        }

        private char peek() {
            while (Character.isWhitespace(text.charAt(at))) {
                at++;
            }
            return text.charAt(at);
        }

        private void skip(char c) {
            if (peek() == c) {
                at++;
            }
        }

        private String string() {
            peek();
            var b = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                char c = text.charAt(at);
                if (c == '\\') {
                    c = text.charAt(++at);
                    int escape = "bfnrt".indexOf(c);
                    if (c == 'u') {
                        c = (char) Integer.parseInt(text.substring(at + 1, at + 5), 16);
                        at += 4;
                    } else if (escape >= 0) {
                        c = "\b\f\n\r\t".charAt(escape);
                    }
                }
                b.append(c);
            }
            at++;
            return b.toString();
        }

        static String write(Object value) {
            var b = new StringBuilder();
            write(b, value);
            return b.toString();
        }

        private static void write(StringBuilder b, Object value) {
            if (value instanceof Map<?, ?> map) {
                String separator = "{";
                for (var entry : map.entrySet()) {
                    b.append(separator);
                    write(b, entry.getKey());
                    b.append(':');
                    write(b, entry.getValue());
                    separator = ",";
                }
                b.append(map.isEmpty() ? "{}" : "}");
            } else if (value instanceof List<?> list) {
                String separator = "[";
                for (Object item : list) {
                    b.append(separator);
                    write(b, item);
                    separator = ",";
                }
                b.append(list.isEmpty() ? "[]" : "]");
            } else if (value instanceof String s) {
                b.append('"');
                for (char c : s.toCharArray()) {
                    b.append(c < ' ' || c == '"' || c == '\\' ? String.format("\\u%04x", (int) c) : String.valueOf(c));
                }
                b.append('"');
            } else {
                b.append(value == null ? "null" : ((Raw) value).text());
            }
        }
    }
}
