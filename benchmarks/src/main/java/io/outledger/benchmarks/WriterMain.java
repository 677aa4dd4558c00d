// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.jdbc.Outledger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

/** An application in a process of its own, which writes at a steady rate and says when. */
final class WriterMain {

  private WriterMain() {}

  /**
   * Writes, and then prints a line for each commit.
   *
   * @param args the file that holds the database's JDBC URL, and how many messages to write
   */
  public static void main(String[] args) throws IOException, SQLException, InterruptedException {
    try (SmallPool pool = new SmallPool(Files.readString(Path.of(args[0])));
        Outledger outledger = Outledger.builder(pool).build()) {
      for (SteadyWriter.Commit commit :
          new SteadyWriter(outledger).writeAll(Integer.parseInt(args[1]))) {
        System.out.println(commit.line());
      }
    }
  }
}
