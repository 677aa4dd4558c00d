// SPDX-License-Identifier: Apache-2.0
/** Tests of receiving from Kafka into PostgreSQL. */
@NullMarked
package io.outledger.examples.inventory;

import org.jspecify.annotations.NullMarked;
