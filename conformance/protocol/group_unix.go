//go:build unix

package protocol

import (
	"os/exec"
	"syscall"
)

// ownGroup makes cmd start in its own process group, so that cmd's children can be ended
// with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends cmd and its children.
func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
