import com.dylibso.chicory.runtime.HostFunction;
import com.dylibso.chicory.runtime.ImportFunction;
import com.dylibso.chicory.runtime.ImportValues;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Memory;
import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.FunctionImport;
import com.dylibso.chicory.wasm.types.FunctionType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Decides about BSON and items with the WebAssembly module, by Chicory: in Java alone. An
 * instance is for one thread.
 *
 * <pre>
 * java -cp chicory-runtime.jar:chicory-wasm.jar:chicory-log.jar TTL.java ../../npm/ttlpolicy.wasm
 * </pre>
 */
public final class TTL {
    static final int BSON = 1, EXTENDED_JSON = 2, JSON = 3;
    private static final String[] STATES = {"never", "pending", "expired"};
    private static final int SUCCESS = 0, BAD_DESCRIPTOR = 8;

    /** The deadline is in milliseconds since 1970, and null beside never. */
    record Decision(String state, Long deadline, String rule) {}

    private final Instance instance;
    private final Memory memory;

    TTL(Path file) {
        WasmModule module = Parser.parse(file);
        List<ImportFunction> imports = new ArrayList<>();
        for (int i = 0; i < module.importSection().importCount(); i++) {
            FunctionImport wanted = (FunctionImport) module.importSection().getImport(i);
            FunctionType type = (FunctionType) module.typeSection().getType(wanted.typeIndex());
            imports.add(new HostFunction(wanted.module(), wanted.name(), type, (in, a) -> wasi(wanted.name(), in.memory(), a)));
        }
        instance = Instance.builder(module).withImportValues(ImportValues.builder().withFunctions(imports).build()).withStart(false).build();
        memory = instance.memory();
        instance.export("_initialize").apply();
        if (call("abi") != 1) {
            throw new IllegalStateException("another version of the module's interface");
        }
    }

    /** The functions of WASI that matter to a module without files; the others say so. */
    private static long[] wasi(String name, Memory memory, long[] a) {
        switch (name) {
            case "proc_exit":
                throw new IllegalStateException("the module ended with code " + a[0]);
            case "fd_write":
                throw new IllegalStateException("the module writes: " + memory.readString(memory.readInt((int) a[1]), memory.readInt((int) a[1] + 4)));
            case "clock_time_get":
                memory.writeLong((int) a[2], a[0] == 0 ? System.currentTimeMillis() * 1_000_000 : System.nanoTime());
                return new long[] {SUCCESS};
            case "random_get":
                byte[] random = new byte[(int) a[1]];
                ThreadLocalRandom.current().nextBytes(random);
                memory.write((int) a[0], random);
                return new long[] {SUCCESS};
            case "args_sizes_get", "environ_sizes_get":
                memory.writeI32((int) a[0], 0);
                memory.writeI32((int) a[1], 0);
                return new long[] {SUCCESS};
            case "args_get", "environ_get", "sched_yield":
                return new long[] {SUCCESS};
            default:
                return new long[] {BAD_DESCRIPTOR};
        }
    }

    private int call(String name, long... arguments) {
        long[] results = instance.export("ttl_" + name).apply(arguments);
        int code = (int) results[0];
        if (code < 0 && !name.equals("alloc") && !name.equals("text")) {
            throw new IllegalArgumentException(text(call("error")));
        }
        return code;
    }

    private String text(int length) {
        return memory.readString(call("text"), length);
    }

    private int put(byte[] content) {
        int address = call("alloc", content.length + 1);
        memory.write(address, content);
        return address;
    }

    int compile(String policy) {
        byte[] content = policy.getBytes(StandardCharsets.UTF_8);
        int address = put(content);
        try {
            return call("compile", address, content.length);
        } finally {
            call("free", address);
        }
    }

    void release(int policy) {
        call("release", policy);
    }

    /** Decides about documents one after another: BSON, or a document a line. */
    List<Decision> decideAll(int policy, int format, byte[] documents, long now) {
        int source = put(documents), room = documents.length / 5 + 1, out = put(new byte[16 * room]);
        try {
            int count = call("decide_all", policy, format, source, documents.length, now, out, room);
            ByteBuffer written = ByteBuffer.wrap(memory.readBytes(out, 16 * count)).order(ByteOrder.LITTLE_ENDIAN);
            List<Decision> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int state = written.get(16 * i + 11), rule = Short.toUnsignedInt(written.getShort(16 * i + 8));
                all.add(new Decision(STATES[state], state == 0 ? null : written.getLong(16 * i), text(call("rule", rule))));
            }
            return all;
        } finally {
            call("free", source);
            call("free", out);
        }
    }

    public static void main(String[] arguments) {
        TTL ttl = new TTL(Path.of(arguments[0]));
        int policy = ttl.compile("""
            {"target": {"system": "mongodb", "version": "8.0.4"},
             "in": {"indexes": [{"key": {"t": 1}, "name": "t_1", "expireAfterSeconds": 10}]}}""");
        byte[] documents = { // {t: a second after 1970}, {}
            16, 0, 0, 0, 9, 't', 0, (byte) 0xe8, 3, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0};
        ttl.decideAll(policy, BSON, documents, 11000).forEach(System.out::println);
        ttl.release(policy);

        int container = ttl.compile("""
            {"target": {"system": "cosmos-nosql"}, "in": {"container": {"defaultTtl": 60}}}""");
        byte[] items = "{\"_ts\":1}\n{\"_ts\":1,\"ttl\":-1}\n".getBytes(StandardCharsets.UTF_8);
        ttl.decideAll(container, JSON, items, 61000).forEach(System.out::println);
        try {
            ttl.release(policy);
        } catch (IllegalArgumentException refusal) {
            System.out.println(refusal.getMessage());
        }
    }
}
