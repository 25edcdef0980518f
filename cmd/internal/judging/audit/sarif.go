package audit

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/internal/published"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An object is a JSON object of SARIF 2.1.0, the format that code scanners
// share (docs.oasis-open.org/sarif/sarif/v2.1.0).
type object map[string]any

// message is a plain text message. It escapes brackets, because a name from outside could
// otherwise contain a link (SARIF v2.1.0, section 3.11.6).
func message(text string) object { return object{"text": unlinked.Replace(text)} }

var unlinked = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`)

// sarifLevels are the names of severities in SARIF.
var sarifLevels = [...]string{Harmless: "note", Keeps: "warning", Unspecified: "warning", Deletes: "error"}

// SARIF returns r in the format of code scanners. version is that of this tool.
func (r Report) SARIF(version string) any {
	var rules []policy.Rule
	var notifications []object
	results := []object{}
	for i := range r.Results {
		for j := range r.Results[i].Findings {
			f := &r.Results[i].Findings[j]
			if !slices.Contains(rules, f.Rule) {
				rules = append(rules, f.Rule)
			}
			results = append(results, r.Results[i].sarif(f, slices.Index(rules, f.Rule)))
		}
		if err := r.Results[i].Failed; err != nil {
			notifications = append(notifications, object{"level": "error", "message": message(cli.ErrorLine(err))})
		}
	}
	n, _ := r.Failed()
	if bad := r.Bad(); bad > 0 {
		notifications = append(notifications, object{"level": "warning", "message": message(cli.Documents(bad) + " could not be read and were skipped")})
	}
	invocation := object{"executionSuccessful": n == 0}
	if len(notifications) > 0 {
		invocation["toolExecutionNotifications"] = notifications
	}
	driver := object{"name": "ttl audit", "version": version, "informationUri": published.Repository, "rules": sarifRules(rules)}
	return object{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": []object{{
		"tool":        object{"driver": driver},
		"invocations": []object{invocation},
		"results":     results,
	}}}
}

func sarifRules(rules []policy.Rule) any {
	list := []object{}
	for _, r := range rules {
		list = append(list, object{"id": r.ID(), "fullDescription": message(r.Statement()), "help": message("ttl rules " + r.ID() + " shows where this is established.")})
	}
	return list
}

// sarif returns a finding in the form of SARIF. rule is the position of its rule among
// the rules of the report.
func (r *Result) sarif(f *Finding, rule int) object {
	name := r.logicalName(f)
	file := physical(r.Target.File)
	if file != nil && f.Line > 0 {
		file["region"] = object{"startLine": f.Line}
	}
	place := location(file)
	place["logicalLocations"] = []object{{"fullyQualifiedName": name, "kind": "resource"}}
	one := object{
		"ruleId": f.Rule.ID(), "ruleIndex": rule, "level": sarifLevels[f.Severity], "message": message(strings.TrimSpace(f.Text + " " + f.Advice)),
		"locations":           []object{place},
		"partialFingerprints": object{"ttlAudit/v1": name + " " + f.Rule.ID()},
		"properties":          object{"severity": f.Severity, "documents": f.Documents, "repairs": append([]Repair{}, f.Repairs...)},
	}
	if to := f.MovingTo(); len(to) > 0 {
		one["properties"].(object)["movingTo"] = to
	}
	if related := sampleLocations(f.Samples); len(related) > 0 {
		one["relatedLocations"] = related
	}
	if f.Known != "" {
		one["suppressions"] = []object{{"kind": "external", "justification": f.Known}}
	}
	return one
}

// logicalName returns the name of the index, or of the collection or container if no
// index is concerned.
func (r *Result) logicalName(f *Finding) string {
	if f.Index == "" {
		return r.Target.Title()
	}
	return r.Target.Title() + "." + f.Index
}

// physical returns the location of a file; nil for standard input.
func physical(file string) object {
	if file == catalog.StdinName {
		return nil
	}
	u := url.URL{Path: filepath.ToSlash(file)}
	if filepath.IsAbs(file) {
		u.Scheme = "file"
	}
	return object{"artifactLocation": object{"uri": u.String()}}
}

func location(physical object) object {
	if physical == nil {
		return object{}
	}
	return object{"physicalLocation": physical}
}

// sampleLocations returns the positions of the first bytes of the sample documents. Only
// documents in a file that is not compressed have a position.
func sampleLocations(samples []dump.Sample) (list []object) {
	for _, s := range samples {
		at := physical(s.File)
		if at != nil && dump.Uncompressed(s.File) == s.File {
			at["region"] = object{"byteOffset": s.Offset}
		}
		list = append(list, location(at))
	}
	return list
}
