//go:build unix

package protocol

import (
	"os/exec"
	"syscall"
)

// ownGroup makes cmd start in a process group of its own, so that its children
// can be ended with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends cmd and its children.
func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
