// SPDX-License-Identifier: Apache-2.0
/** The same application with the starter and a relay to Kafka. */
@NullMarked
package io.outledger.springbenchmark.kafka;

import org.jspecify.annotations.NullMarked;
