package adapter

// The systems that a target can name.
const (
	mongoDB     = "mongodb"
	cosmosNoSQL = "cosmos-nosql"
	cosmosMongo = "cosmos-mongo"
)

// An operation answers one kind of request. Those that ask about a system get
// its target; self.echo has none.
type operation struct {
	name   string
	system string
	run    func(in object, t target) (any, error)
}

// operations are those that hello claims.
var operations = []operation{
	{"self.echo", "", echo},
	{"mongodb.decide", mongoDB, decideMongoDB},
	{"mongodb.createIndexes", mongoDB, createIndexes},
	{"mongodb.collMod", mongoDB, collMod},
	{"mongodb.create", mongoDB, create},
	{"cosmos.decide", cosmosNoSQL, decideCosmos},
	{"cosmos.validateContainer", cosmosNoSQL, validateContainer},
	{"cosmos.validateItem", cosmosNoSQL, validateItem},
	{"cosmosmongo.decide", cosmosMongo, decideCosmosMongo},
	{"cosmosmongo.createIndexes", cosmosMongo, createCosmosIndexes},
}

func operationNames() (names []string) {
	for _, o := range operations {
		names = append(names, o.name)
	}
	return names
}

// perform reads what all operations share and runs o.
func (o operation) perform(request object) (any, error) {
	t, err := o.target(request)
	if err != nil {
		return nil, err
	}
	in, err := request.object("in")
	if err != nil {
		return nil, err
	}
	return o.run(in, t)
}

// target reads the target of a request and checks that it is o's system.
func (o operation) target(request object) (t target, err error) {
	if o.system == "" {
		return t, nil
	}
	if t, err = readTarget(request); err != nil {
		return t, err
	}
	if t.system != o.system {
		return t, skipf("%s answers for the system %s, not for %q", o.name, o.system, clip(t.system))
	}
	return t, nil
}

// A target is the system that a request asks about.
type target struct {
	system       string
	version      string // empty if the request names none
	capabilities []string
}

func readTarget(request object) (t target, err error) {
	fields, err := request.object("target")
	if err != nil {
		return t, err
	}
	if t.system, err = fields.text("system"); err != nil {
		return t, err
	}
	if fields.has("version") {
		if t.version, err = fields.text("version"); err != nil {
			return t, err
		}
	}
	t.capabilities, err = fields.texts("capabilities")
	return t, err
}
