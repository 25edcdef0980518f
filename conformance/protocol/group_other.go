//go:build !unix

package protocol

import "os/exec"

// This system has no process groups: the children of a program outlive it.

func ownGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
