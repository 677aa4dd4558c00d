// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.frontier.Positions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;

/** How a database stores what no SQL type is the same for everywhere. */
interface Columns {

  /** Reads an id. */
  UUID id(ResultSet row, String column) throws SQLException;

  /** Reads a time. */
  Instant time(ResultSet row, String column) throws SQLException;

  /** Reads the open positions of a cursor's row. */
  Positions open(ResultSet row) throws SQLException;
}
