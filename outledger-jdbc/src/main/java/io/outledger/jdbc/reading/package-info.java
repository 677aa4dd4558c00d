// SPDX-License-Identifier: Apache-2.0
/**
 * How an operator's questions are answered, the same for all databases: every SQL that need not
 * differ. Each call looks at a bounded number of rows. {@link io.outledger.jdbc.Admin} is the door;
 * nobody else uses this.
 */
@NullMarked
package io.outledger.jdbc.reading;

import org.jspecify.annotations.NullMarked;
