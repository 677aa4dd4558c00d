// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static java.util.stream.Collectors.joining;

import io.outledger.Message;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/** Appends as docs/databases.md shows it: by LOAD DATA, from a file of the client's. */
final class LoadedFile {

  /** With what a driver sends the server a file. */
  static final String PARAMETERS = "allowLoadLocalInfile=true&allowLocalInfile=true";

  private static final Path PAGE = Path.of("..", "docs", "databases.md");
  private static final String BEGINNING = "LOAD DATA LOCAL INFILE 'orders.txt'";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS").withZone(ZoneOffset.UTC);

  private LoadedFile() {}

  /** Lets a server take files of clients. */
  static void allow(TestDatabase database) {
    database.execute("SET GLOBAL local_infile = ON");
  }

  /** Appends them within a transaction, over a connection with the parameters. */
  static void append(Connection transaction, List<Message> messages) throws SQLException {
    try (Statement statement = transaction.createStatement()) {
      Path file = Files.createTempFile("outledger-load-", ".txt");
      Files.writeString(file, messages.stream().map(LoadedFile::line).collect(joining()));
      statement.execute(sql().replace("orders.txt", file.toString()));
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sql() throws IOException {
    String page = Files.readString(PAGE);
    int begin = page.indexOf(BEGINNING);
    return page.substring(begin, page.indexOf("\n```", begin));
  }

  private static String line(Message message) {
    HexFormat hex = HexFormat.of();
    return String.join(
            "\t",
            message.id().toString().replace("-", ""),
            message.topic(),
            Objects.requireNonNullElse(message.key(), "\\N"),
            message.type(),
            String.valueOf(message.version()),
            hex.formatHex(message.payload()),
            "\\N",
            TIME.format(message.time()))
        + "\n";
  }
}
