//go:build !unix

package protocol

import "os/exec"

// Outside of Unix there are no process groups, so the children of a program outlive it.

func ownGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
