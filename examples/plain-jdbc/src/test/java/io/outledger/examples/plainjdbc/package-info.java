// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.outledger.examples.plainjdbc;

import org.jspecify.annotations.NullMarked;
