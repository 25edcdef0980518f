<?php
// Runs the recipe by MongoDB's extension: php recipes.php ADDRESS PAGE. The library above the
// extension is not at hand. Its methods that the recipe calls stand here, as the library describes
// them, so that the extension writes the recipe's values and the server answers.
declare(strict_types=1);

use MongoDB\Driver\{BulkWrite, Command, Manager};

[, $address, $page] = $argv;
$text = file_get_contents($page);
preg_match_all('/^```php\n(.*?)^```$/ms', $text, $all);
foreach ($all[1] as $code) {
    token_get_all("<?php\n$code", TOKEN_PARSE); // throws unless it is PHP
}

class Database
{
    public function __construct(public Manager $manager, public string $name) {}

    public function command(array $command): array
    {
        return $this->manager->executeCommand($this->name, new Command($command))->toArray();
    }
}

class Index implements ArrayAccess
{
    public function __construct(private array $info) {}
    public function getName(): string { return $this->info['name']; }
    public function offsetExists(mixed $name): bool { return isset($this->info[$name]); }
    public function offsetGet(mixed $name): mixed { return $this->info[$name] ?? null; }
    public function offsetSet(mixed $name, mixed $value): void { throw new LogicException('an index is read only'); }
    public function offsetUnset(mixed $name): void { throw new LogicException('an index is read only'); }
}

class Collection
{
    public function __construct(private Database $db, private string $name) {}

    public function createIndex(array $key, array $options = []): string
    {
        $name = implode('_', array_map(fn($field, $order) => "{$field}_$order", array_keys($key), $key));
        $this->db->command(['createIndexes' => $this->name, 'indexes' => [['key' => $key, 'name' => $name] + $options]]);
        return $name;
    }

    public function insertOne(array $document): void
    {
        $write = new BulkWrite();
        $write->insert($document);
        $this->db->manager->executeBulkWrite("{$this->db->name}.{$this->name}", $write);
    }

    public function dropIndex(string $name): void
    {
        $this->db->command(['dropIndexes' => $this->name, 'index' => $name]);
    }

    public function listIndexes(): array
    {
        return array_map(fn($x) => new Index((array) $x), $this->db->command(['listIndexes' => $this->name]));
    }
}

$db = new Database(new Manager("mongodb://$address/?directConnection=true"), 'recipes_php');
$sessions = new Collection($db, 'sessions');

// run runs the code of a section that talks to the database.
$run = function (string $section) use ($text, $db, $sessions): void {
    $part = explode("\n## ", explode("\n## $section\n", $text)[1])[0];
    preg_match_all('/^```php\n(.*?)^```$/ms', $part, $found);
    $ran = 0;
    foreach ($found[1] as $code) {
        if (preg_match('/\$(db|sessions)\b/', $code)) { // neither Laravel nor Doctrine is at hand
            eval($code);
            $ran++;
        }
    }
    $ran > 0 || throw new Exception("no code for $section");
};
// expect compares the TTL indexes, seconds by name.
$expect = function (array $want) use ($sessions): void {
    $listed = [];
    foreach ($sessions->listIndexes() as $x) {
        if (isset($x['expireAfterSeconds'])) {
            $listed[$x->getName()] = [(array) $x['key'], $x['expireAfterSeconds']];
        }
    }
    $want = array_map(fn($seconds) => [['createdAt' => 1], $seconds], $want);
    $listed === $want || throw new Exception(json_encode($listed) . ', want ' . json_encode($want));
};

$run('Create');
$expect(['createdAt_1' => 3600]);
[$inserted] = $db->command(['find' => 'sessions']);
$inserted->createdAt instanceof MongoDB\BSON\UTCDateTime || throw new Exception(json_encode($inserted));
$run('Change');
$expect(['createdAt_1' => 7200]);
$run('Check');
$run('Stop');
$expect([]);
echo basename($page), ": created, changed, checked and stopped\n";
