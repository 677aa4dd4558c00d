// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Signals to processes that this JVM started; those that are gone already are passed over. */
enum Signals {
  KILL,
  STOP,
  CONT,
  TERM,
  INT,
  QUIT;

  void sendTo(long pid) {
    sendTo(List.of(pid));
  }

  void sendTo(List<Long> pids) {
    // The shell's own kill: the program of this name is missing in slim images.
    List<String> command =
        new ArrayList<>(
            List.of("sh", "-c", "for p; do kill -" + name() + " $p 2>/dev/null; done; :", "sh"));
    pids.forEach(pid -> command.add(pid.toString()));
    Commands.run(command);
  }

  /** The process and all below it, the eldest first. */
  static List<Long> familyOf(long pid) {
    List<Long> family = new ArrayList<>();
    ProcessHandle.of(pid)
        .ifPresent(
            process -> {
              family.add(pid);
              process.descendants().forEach(child -> family.add(child.pid()));
            });
    return family;
  }

  /**
   * Whether the process still runs. One that has ended but was not yet reaped does not: the
   * children of a killed process wait for that until the system's first process gets to it, if
   * ever.
   */
  static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false) && !isZombie(pid);
  }

  private static boolean isZombie(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
    } catch (NoSuchFileException e) {
      return false; // gone, or a system without such files: the process handle decides
    } catch (IOException e) {
      return true; // it ended while its file was read
    }
  }
}
