// SPDX-License-Identifier: Apache-2.0
/** What an application tests with {@code @OutledgerTest}: the example of docs/testing.md. */
@NullMarked
package io.outledger.spring.contract.mails;

import org.jspecify.annotations.NullMarked;
