// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot40;

import io.outledger.spring.contract.mails.OutledgerTestContract;

/** A test slice on this line of Spring Boot. */
class OutledgerTest40IT extends OutledgerTestContract {}
