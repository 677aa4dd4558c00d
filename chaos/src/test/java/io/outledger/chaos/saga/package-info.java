// SPDX-License-Identifier: Apache-2.0
/** The judge of sagas, and a small run of killed processes. */
@NullMarked
package io.outledger.chaos.saga;

import org.jspecify.annotations.NullMarked;
