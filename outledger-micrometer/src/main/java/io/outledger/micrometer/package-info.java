// SPDX-License-Identifier: Apache-2.0
/** Meters of relays and receivers, in a registry of Micrometer. */
@NullMarked
package io.outledger.micrometer;

import org.jspecify.annotations.NullMarked;
