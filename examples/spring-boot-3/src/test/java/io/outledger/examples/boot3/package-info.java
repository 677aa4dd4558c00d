// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.outledger.examples.boot3;

import org.jspecify.annotations.NullMarked;
