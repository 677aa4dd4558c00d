// SPDX-License-Identifier: Apache-2.0
/**
 * How Outledger writes its log: lines that may repeat are limited and counted. Internal: public for
 * Outledger's own modules only.
 */
@NullMarked
package io.outledger.log;

import org.jspecify.annotations.NullMarked;
