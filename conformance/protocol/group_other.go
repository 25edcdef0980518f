//go:build !unix

package protocol

import "os/exec"

// There are no process groups here: what a program starts outlives it.

func ownGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
