// SPDX-License-Identifier: Apache-2.0
/** Application events as messages: a registry of names, never of classes found in data. */
@NullMarked
package io.outledger.event;

import org.jspecify.annotations.NullMarked;
