// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

/** When an application creates or upgrades Outledger's tables at its start. */
public enum SchemaInitialization {
  /** In an embedded database, such as H2 in memory, and in no other. */
  EMBEDDED,
  /** In every database. The application's role needs the right to create tables. */
  ALWAYS,
  /** Never: a migration or a person does it. */
  NEVER
}
