// SPDX-License-Identifier: Apache-2.0
/**
 * A source connector for Kafka Connect: a subscription's messages, into Kafka, exactly once. Most
 * users need only the class name of {@link io.outledger.connect.OutledgerSourceConnector}.
 */
@NullMarked
package io.outledger.connect;

import org.jspecify.annotations.NullMarked;
