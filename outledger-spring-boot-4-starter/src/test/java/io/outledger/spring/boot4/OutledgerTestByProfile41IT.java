// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import io.outledger.spring.contract.mails.OutledgerTestByProfileContract;

/** On this line of Spring Boot. */
class OutledgerTestByProfile41IT extends OutledgerTestByProfileContract {}
