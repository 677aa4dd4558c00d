// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The user that a server runs as: the caller, or, since PostgreSQL refuses root, another one where
 * the caller is root.
 *
 * @param name the user's name; null stands for the caller
 */
record Account(@Nullable String name, String uid, String gid) {
  private static final Account CALLER = new Account(null, "", "");
  private static final Account UNPRIVILEGED = find();

  /** The user who runs this JVM. */
  static Account caller() {
    return CALLER;
  }

  /** The caller unless that is root; then the user postgres, or else nobody. */
  static Account unprivileged() {
    return UNPRIVILEGED;
  }

  /** The command as it has to be started: as this user, and killed when this JVM is. */
  List<String> command(List<String> command) {
    List<String> whole = new ArrayList<>();
    if (name != null || (isLinux() && Commands.have("setpriv"))) {
      whole.add("setpriv");
      if (isLinux()) {
        whole.addAll(List.of("--pdeathsig", "KILL"));
      }
      if (name != null) {
        whole.addAll(List.of("--reuid", uid, "--regid", gid, "--clear-groups"));
      }
      whole.add("--");
    }
    whole.addAll(command);
    return whole;
  }

  /** Gives a file or folder to this user. */
  void own(Path path) {
    if (name == null) {
      return;
    }
    try {
      Files.setOwner(
          path, path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Account find() {
    if (!"root".equals(System.getProperty("user.name"))) {
      return CALLER;
    }
    try {
      List<String> users = Files.readAllLines(Path.of("/etc/passwd"));
      for (String wanted : List.of("postgres:", "nobody:")) {
        for (String user : users) {
          if (user.startsWith(wanted)) {
            String[] fields = user.split(":", -1);
            return new Account(fields[0], fields[2], fields[3]);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new IllegalStateException(
        "PostgreSQL refuses to run as root, and there is no user postgres or nobody to run as");
  }

  private static boolean isLinux() {
    return System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux");
  }
}
