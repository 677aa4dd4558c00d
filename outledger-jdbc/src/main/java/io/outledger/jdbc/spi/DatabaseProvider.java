// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Recognises the database that one module supports. Found by {@link java.util.ServiceLoader}, so an
 * implementation is a public class with a public constructor without parameters, named in {@code
 * META-INF/services/io.outledger.jdbc.spi.DatabaseProvider}. Thread-safe.
 */
public interface DatabaseProvider {

  /** Returns, for people, what this module supports, such as {@code PostgreSQL 13 or later}. */
  String supported();

  /**
   * Returns the database behind a connection, or empty where it is another product. It looks at the
   * metadata alone and executes no statement.
   *
   * @param metaData of a connection to the database
   * @param schema the schema that holds the tables, as it was configured; null for the product's
   *     default
   * @throws io.outledger.ConfigurationException {@code OUT-020} if it is this product in a version
   *     that is not supported, {@code OUT-006} if the schema's name is not valid
   */
  Optional<Database> find(DatabaseMetaData metaData, @Nullable String schema) throws SQLException;

  /**
   * Returns the schema of the tables where none was configured: the one in which the connection
   * finds them by their names alone, else its current one, in which a statement without a schema
   * would make them; null where it has none. Called over connections for which {@link #find} has
   * returned a database.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if neither has the tables, and the
   *     product's default schema has: nothing says which is meant
   */
  @Nullable String schemaOf(Connection connection) throws SQLException;
}
