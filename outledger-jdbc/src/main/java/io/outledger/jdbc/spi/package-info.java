// SPDX-License-Identifier: Apache-2.0
/**
 * The interface that a database module implements. Such a module implements {@link Database}, whose
 * promises each have an interface of their own, and names its {@link DatabaseProvider} to {@link
 * java.util.ServiceLoader}. Applications need nothing of this package.
 *
 * <p>A promise is kept whole: there are no optional parts, no defaults that do nothing, and no SQL
 * that databases share. A database that cannot keep one is not supported.
 */
@NullMarked
package io.outledger.jdbc.spi;

import org.jspecify.annotations.NullMarked;
