// Command kubernetes checks manifests against the types of Kubernetes. An unknown field,
// a field of the wrong type, and a Job that cannot complete are errors.
package main

import (
	"fmt"
	"log"
	"os"

	batchv1 "k8s.io/api/batch/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	for _, path := range os.Args[1:] {
		if err := check(path); err != nil {
			log.Fatalf("%s: %v", path, err)
		}
	}
}

func check(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var job batchv1.Job
	if err := yaml.UnmarshalStrict(text, &job); err != nil {
		return err
	}
	s, pod := job.Spec, job.Spec.Template.Spec
	switch {
	case job.APIVersion != "batch/v1" || job.Kind != "Job" || job.Name == "":
		return fmt.Errorf("got %s %s %q, want a Job of batch/v1 with a name", job.APIVersion, job.Kind, job.Name)
	case s.CompletionMode == nil || *s.CompletionMode != batchv1.IndexedCompletion || s.Completions == nil || s.BackoffLimitPerIndex == nil:
		return fmt.Errorf("the Job is not indexed: want completionMode Indexed, completions and backoffLimitPerIndex")
	case pod.RestartPolicy != "Never":
		return fmt.Errorf("restartPolicy is %q, but backoffLimitPerIndex needs Never", pod.RestartPolicy)
	case len(pod.Containers) != 1 || pod.Containers[0].Image == "":
		return fmt.Errorf("want one container with an image")
	}
	volumes := map[string]bool{}
	for _, v := range pod.Volumes {
		volumes[v.Name] = true
	}
	for _, m := range pod.Containers[0].VolumeMounts {
		if !volumes[m.Name] {
			return fmt.Errorf("the container mounts the volume %q, which the pod does not have", m.Name)
		}
	}
	return nil
}
