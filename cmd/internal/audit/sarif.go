package audit

import (
	"net/url"
	"path/filepath"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The form that code scanners share: SARIF 2.1.0
// (docs.oasis-open.org/sarif/sarif/v2.1.0), as far as a report needs it.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	URI     string      `json:"informationUri"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID   string    `json:"id"`
	Full sarifText `json:"fullDescription"`
	Help sarifText `json:"help"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifResult struct {
	RuleID       string             `json:"ruleId"`
	RuleIndex    int                `json:"ruleIndex"`
	Level        string             `json:"level"`
	Message      sarifText          `json:"message"`
	Locations    []sarifLocation    `json:"locations"`
	Related      []sarifLocation    `json:"relatedLocations,omitempty"`
	Fingerprints map[string]string  `json:"partialFingerprints"`
	Suppressions []sarifSuppression `json:"suppressions,omitempty"`
	Properties   map[string]any     `json:"properties"`
}

type sarifLocation struct {
	Physical *sarifPhysical `json:"physicalLocation,omitempty"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	ByteOffset int64 `json:"byteOffset"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
	Kind string `json:"kind"`
}

type sarifSuppression struct {
	Kind          string `json:"kind"`
	Justification string `json:"justification"`
}

// sarifLevels are what severities are called there.
var sarifLevels = [...]string{Harmless: "note", Keeps: "warning", Unspecified: "warning", Deletes: "error"}

// SARIF returns r as code scanners read it, found by this version of the tool.
func (r Report) SARIF(version string) any {
	w := sarifWriter{run: sarifRun{Results: []sarifResult{}}}
	w.run.Tool.Driver = sarifDriver{Name: "ttl audit", Version: version, URI: "https://github.com/ttlpolicy/ttlpolicy", Rules: []sarifRule{}}
	run := sarifInvocation{Successful: true}
	for i := range r.Results {
		for j := range r.Results[i].Findings {
			w.add(&r.Results[i], &r.Results[i].Findings[j])
		}
		if err := r.Results[i].Failed; err != nil {
			run.Successful = false
			run.Notifications = append(run.Notifications, sarifNotification{"error", sarifText{cli.ErrorLine(err)}})
		}
	}
	if n := r.Bad(); n > 0 {
		run.Notifications = append(run.Notifications, sarifNotification{"warning", sarifText{cli.Documents(n) + " could not be read and were skipped"}})
	}
	w.run.Invocations = []sarifInvocation{run}
	return sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{w.run}}
}

type sarifWriter struct {
	run   sarifRun
	rules []*policy.Rule
}

// rule returns the position of a rule, which is added if it is not there.
func (w *sarifWriter) rule(r *policy.Rule) int {
	if i := slices.Index(w.rules, r); i >= 0 {
		return i
	}
	w.rules = append(w.rules, r)
	driver := &w.run.Tool.Driver
	driver.Rules = append(driver.Rules, sarifRule{r.ID, sarifText{r.Statement}, sarifText{"ttl rules " + r.ID + " shows where this is established."}})
	return len(w.rules) - 1
}

func (w *sarifWriter) add(r *Result, f *Finding) {
	text := f.Text
	if f.Advice != "" {
		text += " " + f.Advice
	}
	one := sarifResult{
		RuleID: f.Rule.ID, RuleIndex: w.rule(f.Rule), Level: sarifLevels[f.Severity], Message: sarifText{text},
		Locations:    []sarifLocation{{physical(r.Target.File, nil), []sarifLogical{{r.logicalName(f), "resource"}}}},
		Fingerprints: map[string]string{"ttlAudit/v1": r.logicalName(f) + " " + f.Rule.ID},
		Properties:   map[string]any{"severity": f.Severity, "documents": f.Documents, "repairs": append([]Repair{}, f.Repairs...)},
	}
	for _, s := range f.Samples {
		one.Related = append(one.Related, sampleLocation(s))
	}
	if f.Known != "" {
		one.Suppressions = []sarifSuppression{{"external", string(f.Known)}}
	}
	w.run.Results = append(w.run.Results, one)
}

// logicalName names the index, or the collection or container.
func (r *Result) logicalName(f *Finding) string {
	if f.Index == "" {
		return r.Target.Title()
	}
	return r.Target.Title() + "." + f.Index
}

// physical is a place in a file; nil for standard input.
func physical(file string, region *sarifRegion) *sarifPhysical {
	if file == stdinName {
		return nil
	}
	u := url.URL{Path: filepath.ToSlash(file)}
	if filepath.IsAbs(file) {
		u.Scheme = "file"
	}
	return &sarifPhysical{sarifArtifact{u.String()}, region}
}

// sampleLocation is where a document begins, which has a place only in a file that is
// not compressed.
func sampleLocation(s dump.Sample) sarifLocation {
	if dump.Uncompressed(s.File) != s.File {
		return sarifLocation{Physical: physical(s.File, nil)}
	}
	return sarifLocation{Physical: physical(s.File, &sarifRegion{s.Offset})}
}
