// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.outledger.junit.crash;

import org.jspecify.annotations.NullMarked;
