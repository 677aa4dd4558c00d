// SPDX-License-Identifier: Apache-2.0
/** The application of the quick start in docs/spring.md. */
@NullMarked
package io.outledger.spring.contract.shop;

import org.jspecify.annotations.NullMarked;
