// SPDX-License-Identifier: Apache-2.0
/**
 * JSON payloads that are checked against a JSON Schema when they are appended. Most users need
 * {@link io.outledger.jsonschema.JsonSchemaSerializer} alone.
 */
@NullMarked
package io.outledger.jsonschema;

import org.jspecify.annotations.NullMarked;
