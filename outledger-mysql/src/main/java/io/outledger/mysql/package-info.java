// SPDX-License-Identifier: Apache-2.0
/**
 * MySQL and MariaDB. Most users only need this module on the class path; {@link
 * io.outledger.mysql.MySql} and {@link io.outledger.mysql.MariaDb} print or apply the schema.
 */
@NullMarked
package io.outledger.mysql;

import org.jspecify.annotations.NullMarked;
