// SPDX-License-Identifier: Apache-2.0
/** An application of its own, so that it finds no more than it asks for. */
@NullMarked
package io.outledger.spring.contract.ahead;

import org.jspecify.annotations.NullMarked;
