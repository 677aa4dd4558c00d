// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import java.util.List;

/**
 * A database's texts for the ledger and its cursors, where they have to differ. {@code {schema}}
 * stands for the schema's name.
 *
 * @param lastNumber a statement: the last position that was drawn; 0 if none was
 * @param now a part: the time by the database's clock, which goes on within a transaction
 * @param later a part: the time so many milliseconds from now; one parameter, how many, and null
 *     where that is null
 * @param appended a part: when a row {@code m} of outledger_message was inserted, as a time that
 *     compares with {@code later}
 * @param newId a part: a random UUID
 * @param forUpdate a part: follows a query whose row is to be locked, waiting for others
 * @param lowest a part: the lowest position that a row {@code s} of outledger_subscription has not
 *     settled, from that row and what stands beside it
 * @param ofCursor the tables with rows that go with a cursor, apart from its own table
 * @param late the tables that note positions which a cursor has settled late, of the columns
 *     subscription, partition_no and position
 */
public record LedgerSql(
    String lastNumber,
    String now,
    String later,
    String appended,
    String newId,
    String forUpdate,
    String lowest,
    List<String> ofCursor,
    List<String> late) {}
