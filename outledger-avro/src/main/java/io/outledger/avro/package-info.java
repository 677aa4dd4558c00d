// SPDX-License-Identifier: Apache-2.0
/** Avro payloads. Users need {@link io.outledger.avro.AvroSerializer} alone. */
@NullMarked
package io.outledger.avro;

import org.jspecify.annotations.NullMarked;
