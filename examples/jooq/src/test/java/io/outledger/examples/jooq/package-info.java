// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.outledger.examples.jooq;

import org.jspecify.annotations.NullMarked;
