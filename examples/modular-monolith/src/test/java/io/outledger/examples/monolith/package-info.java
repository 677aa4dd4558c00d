// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.outledger.examples.monolith;

import org.jspecify.annotations.NullMarked;
