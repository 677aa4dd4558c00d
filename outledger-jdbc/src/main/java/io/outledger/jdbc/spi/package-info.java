// SPDX-License-Identifier: Apache-2.0
/**
 * The interface that a database module implements. Such a module implements {@link Database}, whose
 * promises each have an interface of their own, and names its {@link DatabaseProvider} to {@link
 * java.util.ServiceLoader}. Applications need nothing of this package.
 *
 * <p>A promise is kept whole: there are no optional parts, and no defaults that do nothing. A
 * database that cannot keep one is not supported. What need not differ between databases is told
 * once: here, and in {@link io.outledger.jdbc.sql}.
 */
@NullMarked
package io.outledger.jdbc.spi;

import org.jspecify.annotations.NullMarked;
