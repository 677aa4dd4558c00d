// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import io.outledger.examples.renewal.Commands.Command;
import io.outledger.jdbc.JdbcTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * Hands each command to its handler, in a transaction: who sends one knows neither the handler nor
 * the transaction. What a handler changes and what it appends are committed together, or not at
 * all.
 */
final class Mediator {

  private final JdbcTransactions transactions;
  private final Map<Class<?>, Handler<Command<?>, ?>> handlers = new HashMap<>();

  Mediator(JdbcTransactions transactions) {
    this.transactions = transactions;
  }

  /** Does what a command asks for, in the transaction of a connection. */
  @FunctionalInterface
  interface Handler<C, R> {
    R handle(Connection connection, C command) throws SQLException;
  }

  <C extends Command<R>, R> Mediator on(Class<C> type, Handler<C, R> handler) {
    Handler<Command<?>, ?> before =
        handlers.putIfAbsent(
            type, (connection, command) -> handler.handle(connection, type.cast(command)));
    if (before != null) {
      throw new IllegalArgumentException("two handle " + type.getSimpleName());
    }
    return this;
  }

  <R> R send(Command<R> command) throws SQLException {
    Handler<Command<?>, ?> handler = handlers.get(command.getClass());
    if (handler == null) {
      throw new IllegalArgumentException("nobody handles " + command.getClass().getSimpleName());
    }
    @SuppressWarnings("unchecked") // a command's handler returns what the command says
    Handler<Command<?>, R> its = (Handler<Command<?>, R>) handler;
    return transactions.call(connection -> its.handle(connection, command));
  }
}
