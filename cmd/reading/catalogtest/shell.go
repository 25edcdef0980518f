package catalogtest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// reads matches the beginning of a command that changes nothing.
var reads = regexp.MustCompile(`^db(\.\w+)?\.(find|findOne|countDocuments|getIndexes|getCollectionInfos|serverStatus|hello)\(`)

// beforeNow matches a date before now, such as new Date(Date.now() - 60), which the
// reader of the shell's syntax does not support.
var beforeNow = regexp.MustCompile(`new Date\(Date\.now\(\) - ([0-9]+)(?:e([0-9]))?(?: \* ([0-9]+))?\)`)

func (s *Server) shell(command string, names map[string]string) (o Outcome, err error) {
	text := beforeNow.ReplaceAllStringFunc(command, func(call string) string {
		m := beforeNow.FindStringSubmatch(call)
		n, _ := strconv.ParseInt(m[1], 10, 64)
		zeros, _ := strconv.Atoi(m[2])
		for range zeros {
			n *= 10
		}
		if factor, err := strconv.ParseInt(m[3], 10, 64); err == nil {
			n *= factor
		}
		return fmt.Sprintf("new Date(%d)", int64(s.Now)-n)
	})
	script, err := mongosh.Parse(text, s.Now)
	if err != nil && reads.MatchString(command) {
		return Outcome{}, nil // a read needs no effect, even if the rest of the command cannot be parsed
	}
	if err != nil {
		return Outcome{}, unknown(err.Error())
	}
	for _, c := range script.Calls {
		for i := range c.Args {
			c.Args[i] = renamed(c.Args[i], names)
		}
		c.Args = append(c.Args, policy.Value{}, policy.Value{}) // a call may lack arguments
		one, err := s.call(c)
		if err != nil {
			return o, err
		}
		one.Changes = one.Changes || o.Changes
		o = one
	}
	return o, nil
}

func renamed(v policy.Value, names map[string]string) policy.Value {
	name := func(s string) string {
		if other, ok := names[s]; ok {
			return other
		}
		if other, ok := names[strings.TrimPrefix(s, "$")]; ok && strings.HasPrefix(s, "$") {
			return "$" + other
		}
		return s
	}
	switch v.Kind() {
	case policy.String:
		text, _ := v.AsString()
		return policy.StringValue(name(text))
	case policy.Object:
		var d policy.D
		for _, e := range policy.DOf(v) {
			d = append(d, policy.E{Key: name(e.Key), Value: renamed(e.Value, names)})
		}
		return policy.ObjectValue(d)
	case policy.List:
		a := slices.Clone(policy.AOf(v))
		for i := range a {
			a[i] = renamed(a[i], names)
		}
		return policy.ListValue(a)
	}
	return v
}

// onCollection matches the expression before a method: a database, and a collection as an
// argument of getCollection or as a property.
var onCollection = regexp.MustCompile(`^db(?:\.getSiblingDB\("(?:[^"\\]|\\.)*"\))?(?:\.getCollection\(("(?:[^"\\]|\\.)*")\)|\.([\w.]+))?$`)

// members are the members of a database in mongosh (mongosh, packages/shell-api/src/database.ts),
// and those that every object of JavaScript has. A collection of such a name is no property of
// its database.
var members = strings.Fields(`adminCommand aggregate auth changeUserPassword checkMetadataConsistency
	cloneCollection cloneDatabase commandHelp copyDatabase createCollection createEncryptedCollection
	createRole createUser createView currentOp dropAllRoles dropAllUsers dropDatabase dropRole dropUser
	fsyncLock fsyncUnlock getCollection getCollectionInfos getCollectionNames getLastError
	getLastErrorObj getLogComponents getMongo getName getProfilingStatus getReplicationInfo getRole
	getRoles getSiblingDB getUser getUsers grantPrivilegesToRole grantRolesToRole grantRolesToUser hello
	help hostInfo isMaster killOp listCommands logout printCollectionStats printReplicationInfo
	printSecondaryReplicationInfo printShardingStatus printSlaveReplicationInfo
	revokePrivilegesFromRole revokeRolesFromRole revokeRolesFromUser rotateCertificates runCommand
	serverBits serverBuildInfo serverCmdLineOpts serverStatus setLogLevel setProfilingLevel
	setSecondaryOk shutdownServer sql stats updateRole updateUser version watch
	constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf`)

// collectionOn returns the name of the collection that an expression denotes; "" for a
// database.
func collectionOn(on string) (string, error) {
	found := onCollection.FindStringSubmatch(on)
	switch {
	case found == nil:
		return "", unknown(on)
	case found[1] != "":
		name, _, err := mongosh.ParseValue(found[1], 0)
		text, _ := name.AsString()
		return text, err
	case strings.HasPrefix(found[2], "_") || slices.Contains(members, found[2]):
		return "", refused("TypeError: " + on + " is no collection")
	}
	return found[2], nil
}

func (s *Server) call(c mongosh.Call) (Outcome, error) {
	name, err := collectionOn(c.On)
	if err != nil {
		return Outcome{}, err
	}
	switch c.Method {
	case "adminCommand":
		return s.admin(c.Args[0])
	case "runCommand":
		return s.command(policy.DOf(c.Args[0]))
	case "getCollectionInfos", "serverStatus", "hello":
		return Outcome{}, nil
	case "createCollection":
		return Outcome{Changes: true}, nil // it deletes no existing document
	}
	coll := s.Collections[name]
	if coll == nil && c.Method == "createIndex" {
		coll = &Collection{}
		s.Collections[name] = coll
	}
	if coll == nil {
		return Outcome{}, unknown("the collection " + name)
	}
	changes := Outcome{Changes: true}
	switch c.Method {
	case "getIndexes":
		return Outcome{}, nil
	case "find", "findOne", "countDocuments":
		return s.query(name, coll, c.Args[0])
	case "aggregate":
		return s.aggregate(name, coll, policy.AOf(c.Args[0]))
	case "createIndex":
		key := policy.E{Key: "key", Value: c.Args[0]}
		return changes, s.createIndex(coll, append(policy.D{key}, policy.DOf(c.Args[1])...))
	case "dropIndex":
		index, _ := c.Args[0].AsString()
		return changes, s.dropIndex(coll, index)
	case "updateMany", "updateOne":
		return changes, s.update(coll, c.Args[0], c.Args[1], c.Method == "updateOne")
	case "deleteMany":
		return changes, s.each(coll, c.Args[0], func(d *Document) error {
			d.IsGone = true
			return nil
		})
	case "insertOne":
		return changes, nil // it deletes no existing document
	}
	return Outcome{}, unknown(c.Method)
}

func (s *Server) admin(command policy.Value) (Outcome, error) {
	on, isSet := command.Field("ttlMonitorEnabled").AsBool()
	switch {
	case !command.Field("getParameter").IsMissing(), !command.Field("ttlMonitorSleepSecs").IsMissing():
		return Outcome{}, nil
	case command.Field("setParameter").IsMissing() || !isSet:
		return Outcome{}, unknown(command.String())
	}
	s.IsPaused = !on
	return Outcome{Changes: true}, nil
}

func (s *Server) command(command policy.D) (o Outcome, err error) {
	o.Changes = true
	if len(command) < 2 || !slices.Contains([]string{"collMod", "createIndexes", "dropIndexes", "update"}, command[0].Key) {
		return o, unknown(policy.ObjectValue(command).String())
	}
	if command[1].Key == "validator" {
		return o, nil
	}
	name, _ := command[0].Value.AsString()
	coll := s.Collections[name]
	if coll == nil || s.System != definition.MongoDB {
		return o, unknown("the collection " + name)
	}
	if command[0].Key != "update" {
		return o, s.change(coll, catalog.Command(command))
	}
	for _, u := range policy.AOf(command[1].Value) {
		multi, _ := u.Field("multi").AsBool()
		if err := s.update(coll, u.Field("q"), u.Field("u"), !multi); err != nil {
			return o, err
		}
	}
	return o, nil
}

func (s *Server) change(coll *Collection, command catalog.Command) error {
	profile, err := s.profile()
	if err != nil {
		return err
	}
	after, err := catalog.Collection{Profile: profile, Now: s.Now}.After(coll.Mongo, command)
	if err != nil {
		return refused(err)
	}
	coll.Mongo = after
	return nil
}

func (s *Server) createIndex(coll *Collection, index policy.D) error {
	if s.System == definition.MongoDB {
		return s.change(coll, catalog.Collection{}.CreateIndexes(index))
	}
	named := policy.ObjectValue(command.WithDefaultName(index))
	x, err := cosmos.ParseIndexSpec(named)
	if err != nil {
		return refused(err)
	}
	x.Name, _ = named.Field("name").AsString()
	isThere := func(y cosmos.IndexSpec) bool {
		return y.Name == x.Name || policy.ObjectValue(y.Key).Equal(policy.ObjectValue(x.Key))
	}
	if slices.ContainsFunc(coll.API.Indexes, isThere) {
		return refused("the index exists with other options")
	}
	spec := coll.API
	spec.ServerVersion = s.Release
	if err := cosmos.ValidateCreateIndexes(spec, x); err != nil {
		return refused(err)
	}
	coll.API.Indexes = append(coll.API.Indexes, x)
	return nil
}

func (s *Server) dropIndex(coll *Collection, name string) error {
	if s.System == definition.MongoDB {
		return s.change(coll, catalog.Collection{}.DropIndexes(name))
	}
	n := len(coll.API.Indexes)
	coll.API.Indexes = slices.DeleteFunc(coll.API.Indexes, func(x cosmos.IndexSpec) bool { return x.Name == name })
	if len(coll.API.Indexes) == n {
		return refused("there is no index " + name)
	}
	return nil
}

func (s *Server) query(name string, coll *Collection, filter policy.Value) (Outcome, error) {
	o := Outcome{Found: map[string]bool{}, Asked: true}
	err := s.each(coll, filter, func(d *Document) error {
		o.Found[name+"/"+d.Name] = true
		return nil
	})
	return o, err
}

// aggregate carries out $out, which copies the documents, and $match before $count. Other
// pipelines only read.
func (s *Server) aggregate(name string, coll *Collection, stages policy.A) (Outcome, error) {
	last := policy.Value{}
	if len(stages) > 0 {
		last = stages[len(stages)-1]
	}
	out, ok := last.Field("$out").AsString()
	switch {
	case ok && len(stages) == 1:
		s.Collections[out] = &Collection{Documents: slices.Clone(coll.Documents)}
		return Outcome{Changes: true}, nil
	case !last.Field("$merge").IsMissing() || !last.Field("$out").IsMissing():
		return Outcome{}, unknown(last.String())
	case last.Field("$count").IsMissing():
		return Outcome{}, nil
	}
	var all policy.A
	for _, stage := range stages[:len(stages)-1] {
		if stage.Field("$match").IsMissing() {
			return Outcome{}, unknown(stage.String())
		}
		all = append(all, stage.Field("$match"))
	}
	return s.query(name, coll, policy.ObjectValue(policy.D{{Key: "$and", Value: policy.ListValue(all)}}))
}

func (s *Server) each(coll *Collection, filter policy.Value, do func(*Document) error) error {
	for i := range coll.Documents {
		found, err := s.matches(filter, coll.Documents[i].Value)
		if err == nil && found {
			err = do(&coll.Documents[i])
		}
		if err != nil {
			return err
		}
	}
	return nil
}
