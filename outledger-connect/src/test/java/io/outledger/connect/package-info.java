// SPDX-License-Identifier: Apache-2.0
/** Tests of the connector, on workers of Kafka Connect in processes of their own. */
@NullMarked
package io.outledger.connect;

import org.jspecify.annotations.NullMarked;
