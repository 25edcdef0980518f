//go:build unix

package protocol

import (
	"os/exec"
	"syscall"
)

// ownGroup has cmd start in a process group of its own, so that what it starts
// can be ended with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends cmd and what it started.
func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
