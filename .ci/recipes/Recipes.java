// Compiles the code of recipes against MongoDB's driver and runs it:
// java -cp DRIVER Recipes.java ADDRESS FOLDER. The class of Spring Data and the SDK of Azure
// Cosmos DB are compiled alone.
import com.mongodb.MongoClient;
import com.mongodb.MongoClientURI;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.bson.Document;

class Recipes {
    static final String DRIVER = """
        import com.mongodb.client.*;
        import com.mongodb.client.model.*;
        import java.util.*;
        import java.util.concurrent.TimeUnit;
        import org.bson.Document;
        public class %s {
            public static void run(MongoDatabase db, MongoCollection<Document> sessions) {
        %s
            }
        }
        """;
    // The annotations are those of Spring Data MongoDB, with the members that the recipe gives:
    // https://docs.spring.io/spring-data/mongodb/docs/current/api/org/springframework/data/mongodb/core/index/Indexed.html
    static final String SPRING = """
        import java.time.Instant;
        class %s {
            @interface Document { String value(); }
            @interface Id {}
            @interface Indexed { String expireAfter(); }
        %s
        }
        """;
    // The classes are those of Azure's SDK, with the methods that the recipe calls:
    // https://learn.microsoft.com/en-us/java/api/com.azure.cosmos.models.cosmoscontainerproperties
    static final String COSMOS = """
        class %s {
            static class CosmosContainerProperties {
                CosmosContainerProperties(String id, String partitionKeyPath) {}
                CosmosContainerProperties setDefaultTimeToLiveInSeconds(Integer seconds) { return this; }
            }
            interface CosmosDatabase { void createContainerIfNotExists(CosmosContainerProperties properties); }
            static void run(CosmosDatabase database) {
        %s
            }
        }
        """;

    final Path work = Files.createTempDirectory(Path.of("."), "java");
    final String text;
    final MongoDatabase db;
    final MongoCollection<Document> sessions;
    int classes;

    Recipes(String text, MongoDatabase db) throws Exception {
        this.text = text;
        this.db = db;
        this.sessions = db.getCollection("sessions");
    }

    static List<String> blocks(String text) {
        return Pattern.compile("^```java\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL).matcher(text).results().map(m -> m.group(1)).toList();
    }

    // compiled returns the name of a class with some code.
    String compiled(String template, String code) throws Exception {
        String name = "Block" + classes++;
        Path file = Files.writeString(work.resolve(name + ".java"), template.formatted(name, code));
        if (ToolProvider.getSystemJavaCompiler().run(null, null, null, "-Xlint:all,-classfile", "-Werror", "-d", work.toString(), file.toString()) != 0) {
            throw new IllegalArgumentException(code);
        }
        return name;
    }

    // run runs the code of a section, and then expects an index with some seconds, 0 for none.
    void run(String section, int seconds) throws Exception {
        List<String> found = blocks(text.split("\n## " + section + "\n")[1].split("\n## ")[0]);
        int ran = 0;
        for (String code : found) {
            if (code.contains("class ")) {
                compiled(SPRING, code);
                continue;
            }
            String name = compiled(DRIVER, code);
            try (URLClassLoader loader = new URLClassLoader(new URL[] {work.toUri().toURL()})) {
                loader.loadClass(name).getMethod("run", MongoDatabase.class, MongoCollection.class).invoke(null, db, sessions);
            }
            ran++;
        }
        List<String> listed = new ArrayList<>();
        for (Document x : sessions.listIndexes()) {
            if (x.containsKey("expireAfterSeconds")) {
                listed.add(x.get("name") + " " + x.get("key", Document.class).toJson() + " " + x.get("expireAfterSeconds"));
            }
        }
        List<String> want = seconds == 0 ? List.of() : List.of("createdAt_1 { \"createdAt\" : 1 } " + seconds);
        if (ran == 0 || !listed.equals(want)) {
            throw new IllegalStateException(section + ": " + ran + " blocks, " + listed + ", want " + want);
        }
    }

    public static void main(String[] args) throws Exception {
        Logger.getLogger("org.mongodb.driver").setLevel(Level.WARNING);
        Path folder = Path.of(args[1]);
        MongoClient client = new MongoClient(new MongoClientURI("mongodb://" + args[0]));
        Recipes r = new Recipes(Files.readString(folder.resolve("java.md")), client.getDatabase("recipes_java"));
        r.run("Create", 3600);
        if (!(r.sessions.find().first().get("createdAt") instanceof Date)) {
            throw new IllegalStateException("createdAt is no Date");
        }
        r.run("Change", 7200);
        r.run("Check", 7200);
        r.run("Stop", 0);
        for (String code : blocks(Files.readString(folder.resolve("cosmos-sdks.md")))) {
            r.compiled(COSMOS, code);
        }
        client.close();
        System.out.println("java.md: created, changed, checked and stopped");
    }
}
