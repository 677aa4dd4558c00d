// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.outledger.flow;

import org.jspecify.annotations.NullMarked;
