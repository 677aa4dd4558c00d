// SPDX-License-Identifier: Apache-2.0
/**
 * Avro payloads. Most users need {@link io.outledger.avro.AvroSerializer} alone; the others are for
 * those whose consumers read by a schema registry.
 */
@NullMarked
package io.outledger.avro;

import org.jspecify.annotations.NullMarked;
