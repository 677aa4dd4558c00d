// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

/** What statements that are told once have to know of one schema on one product. Thread-safe. */
public interface SqlNaming {

  /**
   * Puts the product's words into a statement: <code>{schema}</code> stands for the schema's name;
   * see {@link SqlWords} for the others.
   */
  String in(String text);

  /** Returns how the driver takes and gives values. */
  SqlValues values();
}
